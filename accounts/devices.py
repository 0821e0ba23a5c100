"""Names of devices, as people know them, from what a browser says of itself."""

from django.utils.translation import gettext as _

_BROWSERS = (
    ("Zalo", "Zalo"),
    ("FBAN", "Facebook"),
    ("FBAV", "Facebook"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("coc_coc", "Cốc Cốc"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str) -> str:
    """Return the browser and the system: "Chrome on Linux", else what is known."""
    browser, system = (
        next((name for mark, name in names if mark in user_agent), "")
        for names in (_BROWSERS, _SYSTEMS)
    )
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or user_agent[:80] or _("An unknown browser")
