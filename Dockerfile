# syntax=docker/dockerfile:1

# ---- build: packages from the lock, then the project; its build hook fetches Node and builds the client ----
FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/upcard
WORKDIR /src
COPY requirements.lock ./
RUN /opt/upcard/bin/pip install --no-deps --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE hatch_build.py build_client.py ./
COPY migrations migrations
COPY server server
COPY web web
RUN /opt/upcard/bin/pip install --no-deps . && /opt/upcard/bin/pip uninstall -y pip

# ---- the server: no compiler, no Node, no pip, no root ----
FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home upcard
COPY --from=build /opt/upcard /opt/upcard
ENV PATH=/opt/upcard/bin:$PATH PYTHONUNBUFFERED=1 \
    UPCARD_HOST=0.0.0.0 UPCARD_PORT=8000 UPCARD_DATA_DIR=/data UPCARD_LOG_JSON=1
WORKDIR /data
VOLUME /data
USER upcard
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health', timeout=2)"]
CMD ["upcard", "serve"]
