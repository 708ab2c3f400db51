// Creates a single-colour image in a given format.
import sharp from 'sharp';

export const draw = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#7a5' } });
