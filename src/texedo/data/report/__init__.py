"""What a corpus holds, on one page that needs nothing else: `write_report`.

Pillow is loaded with it, for the pictures.
"""

from texedo.data.report.page import build_page as build_page
from texedo.data.report.page import read_rejected as read_rejected
from texedo.data.report.page import write_report as write_report
