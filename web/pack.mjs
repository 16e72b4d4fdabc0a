// Packs what a build has made beside it, so that no server has to do it again for every guest.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const FOLDER = new URL('../server/static/assets/', import.meta.url);
const TEXT = /\.(js|css|svg|webmanifest)$/;
/** A file that fits into one packet arrives no sooner when it is smaller. */
const WORTH_IT = 1_000;

for (const name of readdirSync(FOLDER).filter((one) => TEXT.test(one))) {
  const content = readFileSync(new URL(name, FOLDER));
  if (content.length < WORTH_IT) continue;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(new URL(`${name}.br`, FOLDER), brotliCompressSync(content, { params }));
  writeFileSync(new URL(`${name}.gz`, FOLDER), gzipSync(content, { level: 9 }));
}
