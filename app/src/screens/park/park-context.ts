// Shared by the pages of a park: the login gate, the terms gate, and opening the review sheet.
import { createContext, useContext } from 'react';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';

interface ParkContext {
  guard: LoginGate['guard'];
  /** Prompts the user to accept the terms before the first post. */
  beforePost: () => Promise<boolean>;
  /** Like `beforePost`, for a fact about the park: the user must also accept the licence of facts. */
  beforeFacts: () => Promise<boolean>;
  openReview: () => void;
}

export const ParkScreenContext = createContext<ParkContext | null>(null);

/** @throws outside /parks/{id} */
export function useParkContext(): ParkContext {
  const context = useContext(ParkScreenContext);
  if (!context) throw new Error('Only the pages of a park have its context');
  return context;
}
