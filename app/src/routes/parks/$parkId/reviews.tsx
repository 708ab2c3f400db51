// /parks/{id}/reviews: what people think of the park.
import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/parks/$parkId/reviews')({ component: ReviewsPage });

function ReviewsPage() {
  return null;
}
