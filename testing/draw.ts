// A picture of one colour, in whichever format a test asks it for.
import sharp from 'sharp';

export const draw = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#7a5' } });
