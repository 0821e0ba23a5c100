"""Vietnamese formats as people write them: 05/11/2026, 24-hour times, and 50.000 đồng.

Django's own formats read 5/11 as the 11th of May and do not group digits.
"""

DATE_FORMAT = r"j \t\há\n\g n, Y"
SHORT_DATE_FORMAT = "d/m/Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = r"H:i, j \t\há\n\g n, Y"
SHORT_DATETIME_FORMAT = "H:i d/m/Y"
YEAR_MONTH_FORMAT = r"\t\há\n\g n, Y"
MONTH_DAY_FORMAT = "j/n"
FIRST_DAY_OF_WEEK = 1
DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y"]
DATETIME_INPUT_FORMATS = [
    f"{day} {time}" for day in DATE_INPUT_FORMATS for time in ("%H:%M:%S", "%H:%M")
]
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
NUMBER_GROUPING = 3
