"""Settings: everything the environment may decide, read once and typed.

`Settings` is always complete. Where no store is configured, the launcher starts the embedded ones first
and adds their addresses to the environment; so nothing else has to know which mode it runs in.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

STATIC = Path(__file__).parent / "static"
BUILD_FILE = STATIC / "build.txt"  # written by the client's build: a hash of its sources

MIN_SECRET = 32  # characters; shorter ones can be guessed, and the session cookie hangs on it

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}
STORE_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
LOG_LEVELS = ("debug", "info", "warning", "error")


class ConfigError(Exception):
    """A setting is missing or wrong; the message says which one and what it should be."""


@dataclass(frozen=True)
class Settings:
    """What a server needs to know before it starts."""

    redis_url: str = field(repr=False)  # these three hold passwords, and a repr may end up in a log
    database_url: str = field(repr=False)
    secret: bytes = field(repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    data_dir: Path = Path("data")
    origins: tuple[str, ...] = ()  # allowed besides the server's own
    trusted_proxies: tuple[str, ...] = ()  # addresses or networks whose X-Forwarded-* headers count
    secure_cookies: bool = False  # True where a proxy ends https; an https request gets Secure in any case
    ping_seconds: float = 4  # a dead line is noticed within 8 s, well inside the 30 s of grace
    ping_timeout: float = 4
    lease_seconds: float = 15  # how long a killed worker's connections still count as connected
    bot_pace: float = 1.0  # times the bots' think time; tests and demonstrations hurry them
    time_rate: float = 1.0  # seconds of the house in a real one: tests live through its deadlines sooner
    players_per_address: float = (
        16  # an address may ask for as much as so many busy players: a home, a school
    )
    max_sockets: int = 10_000  # of a worker: about 27 KiB each
    max_tables: int = 20_000  # in the house: about 10 KiB of the store each
    gathered: bool = False  # a proxy brings sockets that name one table in their address to one server
    drain_seconds: float = 0  # between "not ready" and closing the sockets, for a proxy to notice
    log_level: str = "info"
    log_json: bool = False
    build: str = "dev"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """Read the UPCARD_… variables; raises ConfigError naming the first that is missing or wrong."""
        read = Reader(environment)
        secret = read.required("SECRET")
        if len(secret) < MIN_SECRET:
            raise ConfigError(f"UPCARD_SECRET needs at least {MIN_SECRET} characters, it has {len(secret)}.")
        return cls(
            redis_url=store_url(read.required("REDIS_URL")),
            database_url=async_driver(read.required("DATABASE_URL")),
            secret=secret.encode(),
            host=read.text("HOST", cls.host),
            port=int(read.number("PORT", cls.port, least=0, most=65535)),
            workers=int(read.number("WORKERS", cls.workers, least=1, most=64)),
            data_dir=Path(read.text("DATA_DIR", str(cls.data_dir))).absolute(),
            origins=tuple(origin.rstrip("/") for origin in read.words("ORIGINS")),
            trusted_proxies=read.networks("TRUSTED_PROXIES"),
            secure_cookies=read.flag("SECURE_COOKIES"),
            ping_seconds=read.number("PING_SECONDS", cls.ping_seconds, least=0.1, most=60),
            ping_timeout=read.number("PING_TIMEOUT", cls.ping_timeout, least=0.1, most=60),
            lease_seconds=read.number("LEASE_SECONDS", cls.lease_seconds, least=1, most=300),
            bot_pace=read.number("BOT_PACE", cls.bot_pace, least=0, most=10),
            time_rate=read.number("TIME_RATE", cls.time_rate, least=1, most=20),
            players_per_address=read.number(
                "PLAYERS_PER_ADDRESS", cls.players_per_address, least=1, most=100_000
            ),
            max_sockets=int(read.number("MAX_SOCKETS", cls.max_sockets, least=1, most=1_000_000)),
            max_tables=int(read.number("MAX_TABLES", cls.max_tables, least=1, most=10_000_000)),
            gathered=read.flag("GATHERED"),
            drain_seconds=read.number("DRAIN_SECONDS", cls.drain_seconds, least=0, most=60),
            log_level=read.choice("LOG_LEVEL", cls.log_level, LOG_LEVELS),
            log_json=read.flag("LOG_JSON"),
            build=read.text("BUILD", build_id()),
        )


@dataclass(frozen=True, slots=True)
class Reader:
    """Typed access to the UPCARD_… variables of an environment."""

    environment: Mapping[str, str]

    def text(self, name: str, default: str = "") -> str:
        return self.environment.get(f"UPCARD_{name}", "").strip() or default

    def required(self, name: str) -> str:
        if value := self.text(name):
            return value
        raise ConfigError(f"UPCARD_{name} is not set.")

    def words(self, name: str) -> tuple[str, ...]:
        return tuple(self.text(name).replace(",", " ").split())

    def networks(self, name: str) -> tuple[str, ...]:
        for word in (found := self.words(name)):
            try:
                ipaddress.ip_network(word)
            except ValueError:
                raise ConfigError(
                    f"UPCARD_{name} should be addresses or networks such as 10.0.0.0/8, not {word!r}."
                ) from None
        return found

    def flag(self, name: str) -> bool:
        value = self.text(name).lower()
        if value not in TRUE | FALSE:
            raise ConfigError(f"UPCARD_{name} should be 1 or 0, not {value!r}.")
        return value in TRUE

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        value = self.text(name, default).lower()
        if value not in choices:
            raise ConfigError(f"UPCARD_{name} should be one of {', '.join(choices)}, not {value!r}.")
        return value

    def number(self, name: str, default: float, *, least: float, most: float) -> float:
        value = self.text(name, str(default))
        try:
            number = float(value)
        except ValueError:
            raise ConfigError(f"UPCARD_{name} should be a number, not {value!r}.") from None
        if not least <= number <= most:
            raise ConfigError(f"UPCARD_{name} should be between {least:g} and {most:g}, not {value}.")
        return number


def store_url(url: str) -> str:
    """The address of a Redis or Valkey, or some nodes of a cluster: `redis+cluster://one:6379,two:6379`."""
    scheme, found, rest = url.partition("://")
    if not found or scheme not in STORE_SCHEMES:
        known = ", ".join(f"{name}://" for name in STORE_SCHEMES)
        raise ConfigError(f"UPCARD_REDIS_URL should begin with one of {known}.")
    if scheme.endswith("+cluster") and urlsplit(f"//{rest}").path not in {"", "/", "/0"}:
        raise ConfigError("UPCARD_REDIS_URL: a cluster has no databases with numbers.")
    return url


def async_driver(url: str) -> str:
    """Name the asyncio driver in a database address, as hosts hand out plain `postgres://` ones."""
    scheme, found, rest = url.partition("://")
    drivers = {
        "postgres": "postgresql+asyncpg",
        "postgresql": "postgresql+asyncpg",
        "sqlite": "sqlite+aiosqlite",
    }
    known = drivers.get(scheme, scheme)
    if not found or known not in drivers.values():
        raise ConfigError(f"UPCARD_DATABASE_URL should be a postgresql:// or sqlite:// one, not {scheme}.")
    return f"{known}://{rest}"


def build_id() -> str:
    """The client build this server carries; a client of another build is told to reload."""
    return BUILD_FILE.read_text().strip() if BUILD_FILE.exists() else Settings.build
