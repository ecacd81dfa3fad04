"""Reading: settled pictures of a table in, events of the game out.

    reader = Reader(table, players, sizes=sizes, source="clip.mp4")
    reader.told(None, rules.position(state))
    for frame in frames:
        for reading in reader.frame(frame.picture, frame.t, frame.number):
            ...   # a Post goes to the rules, a Question to the host, a Status to the page
            reader.told(ruling, rules.position(state))
"""

from companion.reading.counting import Counted
from companion.reading.reader import Reader
from companion.reading.readings import Evidence, Post, Question, Reading, Status

__all__ = ["Counted", "Evidence", "Post", "Question", "Reader", "Reading", "Status"]
