// Packs what a build has made beside it, so that no server has to do it again for every guest.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const FOLDER = new URL('../server/static/assets/', import.meta.url);
const TEXT = /\.(js|css|svg|webmanifest)$/;
/** Smaller files are hardly made smaller: what they save, their headers cost. */
const WORTH_IT = 400;

for (const name of readdirSync(FOLDER).filter((one) => TEXT.test(one))) {
  const content = readFileSync(new URL(name, FOLDER));
  if (content.length < WORTH_IT) continue;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(new URL(`${name}.br`, FOLDER), brotliCompressSync(content, { params }));
  writeFileSync(new URL(`${name}.gz`, FOLDER), gzipSync(content, { level: 9 }));
}
