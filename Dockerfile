# The service in one image: SVC_ROLE says which part of it runs, the other variables are README's.
FROM node:26-slim AS build
WORKDIR /svc
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts \
  # Read by editors and debuggers alone: a third of what the service would carry.
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:26-slim
ENV NODE_ENV=production SVC_HOST=0.0.0.0 SVC_LOG=json SVC_DATA_DIR=/data
WORKDIR /svc
COPY package.json openapi.json LICENSE ./
COPY --from=build /svc/node_modules ./node_modules
COPY --from=build /svc/dist ./dist
COPY scripts/health.mjs ./scripts/health.mjs
COPY src ./src
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["node", "scripts/health.mjs"]
CMD ["node", "dist/service/main.js", "serve"]
