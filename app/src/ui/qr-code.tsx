// A QR code on white, because scanners need the contrast in both themes.
import { renderSVG } from 'uqr';
import styles from './qr-code.module.css';

export const qrPicture = (text: string): string =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`;

export function QrCode({ text, label }: { text: string; label: string }) {
  return <img src={qrPicture(text)} alt={label} className={styles.code} />;
}
