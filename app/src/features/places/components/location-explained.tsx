// Says what the location is for before the browser asks for it.
import { MapPinned } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { AskCard } from '#/ui/ask-card.tsx';
import { Button } from '#/ui/button.tsx';
import { useFloatingCard } from '#/ui/floating-cards.ts';

interface LocationExplainedProps {
  onAllow: () => void;
  onLater: () => void;
}

export function LocationExplained({ onAllow, onLater }: LocationExplainedProps) {
  const t = useT();
  useFloatingCard('location', true);
  return (
    <AskCard
      icon={MapPinned}
      title={t('places.location.title')}
      text={t('places.location.text')}
      floating
    >
      <Button variant="quiet" onClick={onLater}>
        {t('ui.notNow')}
      </Button>
      <Button onClick={onAllow}>{t('ui.useLocation')}</Button>
    </AskCard>
  );
}
