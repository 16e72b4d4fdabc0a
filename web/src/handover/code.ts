import { correction, generate } from 'lean-qr';

/** A QR code as a drawing: how many modules it is wide, and the dark ones as one path. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** Light modules around it, without which a camera does not find it. */
export const QUIET = 4;

export function qrCode(text: string): QrCode {
  const code = generate(text, { minCorrectionLevel: correction.M });
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      const from = x;
      while (code.get(x, y)) x++;
      if (x > from) path += `M${from} ${y}h${x - from}v1H${from}z`;
    }
  }
  return { size: code.size, path };
}
