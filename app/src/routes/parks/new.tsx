// /parks/new: adds a park.
import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/parks/new')({ component: NewParkPage });

function NewParkPage() {
  return null;
}
