"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from benchmarks.compare.rivals import Rival


def describe(rivals: list[Rival]) -> dict[str, str]:
    """Describe the processor, how busy it is, and the versions."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "processor": _processor(),
        "cores": f"{usable} of {os.cpu_count()}",
        "load": load(),
        "system": f"{platform.system()} {platform.machine()}, Python {sys.version.split()[0]}",
        "versions": ", ".join(sorted({f"{rival.package} {rival.version}" for rival in rivals})),
    }


def load() -> str:
    """Give the load of the last minute: much above 1 and the figures deserve less trust."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
