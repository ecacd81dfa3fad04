"""From measured points and seats to a table file."""

from calibration.camera import Measured
from calibration.points import CalibrationError, PointsFile, card_points, read_points
from calibration.seats import SeatsFile, read_seats
from calibration.table import Calibration, calibrate

__all__ = [
    "Calibration",
    "CalibrationError",
    "Measured",
    "PointsFile",
    "SeatsFile",
    "calibrate",
    "card_points",
    "read_points",
    "read_seats",
]
