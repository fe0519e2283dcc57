"""One run on one page: `report.html`.

    page = report_html(account)

The page is a single file without links: it opens from a disk, from an archive, from a
memory stick, and never asks the network for anything. What can be read is plain HTML and
SVG, written here; the scripts in `assets/` add what moves: the player, the risk of the
candidate that is shown, strips of pictures, sorting.

The robot is drawn in the reader's browser. What travels is the motion, 36 numbers a
frame; the kinematics and the shapes of the robot are a table, as they are here.
"""

from texedo.pipeline.page.document import report_html as report_html
