# The service on a read-only file system, as a user without rights; all that it keeps is in /data.
# The Node is the one of package-lock.json: a test compares the two.
FROM node:24.21.0-bookworm AS installed
WORKDIR /app
COPY package.json package-lock.json ./
# The image has a Node: the one that the packages bring is left out.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24.21.0-bookworm-slim
WORKDIR /app
# A new volume gets the owner of the directory that it covers.
RUN mkdir /data && chown 1000:1000 /data
COPY --from=installed /app/node_modules ./node_modules
COPY package.json LICENSE ./
# The client of ./tollbook buy, and pages that the service shows.
COPY clients/ts ./clients/ts
COPY docs/methodology ./docs/methodology
COPY src ./src
ENV HOST=0.0.0.0 \
    PORT=4020 \
    TOLLBOOK_DATA_DIR="/data/<mode>"
VOLUME /data
EXPOSE 4020
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The options of Node are those of ./tollbook, which says why.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "src/cli/main.ts"]
CMD ["serve"]
