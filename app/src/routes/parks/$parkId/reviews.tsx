// /parks/{id}/reviews: the reviews of a park.
import { createFileRoute } from '@tanstack/react-router';
import { ReviewsPage } from '#/screens/park/reviews-page.tsx';

export const Route = createFileRoute('/parks/$parkId/reviews')({ component: ReviewsPage });
