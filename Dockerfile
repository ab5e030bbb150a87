# The product and nothing else: what the tests need stays outside.
FROM node:24-bookworm-slim
WORKDIR /arc
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY models/store/embedded/package.json models/store/embedded/
RUN npm ci --omit=dev
COPY . .
RUN node build.mjs && mkdir -p .data .cache && chown -R node:node .data .cache
USER node
EXPOSE 3000
CMD ["node", "start.mjs"]
