/** Pictures and their data as files. */
import { csvText, svgText, type Figure, type Palette, type Table } from '../../rollouts/lab/pictures';

/** A name for the files of a picture: `answerexact-by-family`. */
export function fileName(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug.slice(0, 80) || 'picture';
}

/** The picture as an SVG file that needs nothing else. */
export function svgFile(figure: Figure, palette: Palette): Blob {
  return new Blob([svgText(figure, palette)], { type: 'image/svg+xml;charset=utf-8' });
}

/** Its data as CSV (RFC 4180). */
export function csvFile(table: Table): Blob {
  return new Blob([csvText(table)], { type: 'text/csv;charset=utf-8' });
}

/** Sides that every browser can draw; a picture that is higher at the scale asked for is drawn smaller. */
const MAX_SIDE = 16_384;
const MAX_AREA = 120e6;

/** How many pixels of a bitmap go into one of a picture: `wanted`, or less where the bitmap would be too large. */
export function bitmapScale({ width, height }: Pick<Figure, 'width' | 'height'>, wanted: number): number {
  return Math.min(wanted, MAX_SIDE / width, MAX_SIDE / height, Math.sqrt(MAX_AREA / (width * height)));
}

/**
 * The picture as PNG, at twice its size unless told.
 * @throws Error when the browser cannot draw it
 */
export async function pngFile(figure: Figure, palette: Palette, wanted = 2): Promise<Blob> {
  const url = URL.createObjectURL(svgFile(figure, palette));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = bitmapScale(figure, wanted);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(figure.width * scale);
    canvas.height = Math.round(figure.height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('The picture is too large for a PNG in this browser. Take the SVG instead.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
