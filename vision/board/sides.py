"""Which tiles lie witness side up, told without a pack: witness sides have their layout in common, whoever is on them.

Most tiles of a board lie witness side up, and a turn shows at most three suspects. The layout is where edges are, whatever the colours,
averaged over all turns and mirrored, since a tile may lie any way up.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

FAINT = 3.0                  # steps of lightness a pixel that count half
BLUR_PX = 1.2
LAYOUT, LAYING = 0.53, 18.0  # likeness of layouts from which a tile is likelier a witness than not, and its log odds a unit
TWIN, TWINNING = 0.6, 25.0   # likeness from which two tiles show the same side, and its log odds a unit
LONE_SURE = 0.85             # a lone tile, or two alike, may be suspects whose side is laid out like the witnesses'
FEW = 6                      # tiles, among which suspects may be as many as witnesses
FEW_SURE = 0.8


def witness_chances(looks: NDArray[np.float32], like: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n,) of (n, H, W, 3) looks (first channel: lightness): how probable it is that each shows its witness side.

    `like` (n, n): how alike two tiles look: who looks like a witness is one, though glare or a bad outline spoils his layout.
    """
    if len(looks) < 2:
        return np.full(len(looks), 0.5)
    layout = _layouts(looks)
    same = layout @ layout.T
    usual = np.median(same, axis=1)
    common = layout[usual >= np.median(usual)].mean(0)
    laid = layout @ (common / max(float(np.linalg.norm(common)), 1e-6))
    chance = 1 / (1 + np.exp(-LAYING * (laid - LAYOUT)))
    twins = 1 / (1 + np.exp(-TWINNING * (like - TWIN)))
    np.fill_diagonal(twins, 0)
    chance = 1 - (1 - chance) * (1 - (twins * chance[None]).max(1))
    chance = np.where((like > TWIN).sum(1) > 1, chance, np.minimum(chance, LONE_SURE))
    return np.asarray(np.clip(chance, 1 - FEW_SURE, FEW_SURE) if len(looks) <= FEW else chance, np.float64)


def _layouts(looks: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n, d) unit vectors."""
    out = []
    for look in looks:
        light = np.ascontiguousarray(look[..., 0])
        steps = np.hypot(cv2.Scharr(light, cv2.CV_32F, 1, 0, scale=1 / 16), cv2.Scharr(light, cv2.CV_32F, 0, 1, scale=1 / 16))
        edges = cv2.GaussianBlur(steps / (steps + FAINT), (0, 0), BLUR_PX)
        every_way = np.mean([np.rot90(edges, k) for k in range(4)], axis=0)
        flat = (every_way + every_way[:, ::-1]).ravel().astype(np.float64)
        flat -= flat.mean()
        out.append(flat / max(float(np.linalg.norm(flat)), 1e-6))
    return np.array(out)
