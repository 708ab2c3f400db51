// /tag/{code}: the page behind the QR code on a dog's tag.
import { createFileRoute } from '@tanstack/react-router';
import { TagScreen } from '#/screens/tag/tag-screen.tsx';

export const Route = createFileRoute('/tag/$code')({ component: TagScreen });
