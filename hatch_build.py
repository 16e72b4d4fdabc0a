"""The package's build hook: the wheel carries the built client and the database migrations."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

import build_client  # found only with the line above, as this file is run from elsewhere


class ClientHook(BuildHookInterface):
    """Builds the client before the wheel is packed; editable installs get it as well."""

    def dependencies(self) -> list[str]:
        """Node, but only where it is needed: it is a download of 60 MB."""
        return [] if build_client.up_to_date() or build_client.has_node() else [build_client.NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client. An editable install finds the migrations where they are."""
        if self.target_name != "wheel":
            return
        build_client.build_client()
        if version == "standard":
            build_data["force_include"]["migrations"] = "server/migrations"
