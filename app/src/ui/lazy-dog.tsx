// The drawn dog as decoration: comes after what it decorates, keeps its place meanwhile, and may not come at all.
import { Suspense } from 'react';
import { lazyPart } from '#/lib/lazy-part.ts';
import type { DogPose } from '#/ui/dog-drawing.tsx';

const DogDrawing = lazyPart<{ pose: DogPose; size: number }>(() =>
  import('#/ui/dog-drawing.tsx').then((file) => ({ default: file.DogDrawing })),
);

/** @param size pixels of width */
export function LazyDog({ pose, size = 176 }: { pose: DogPose; size?: number }) {
  return (
    <div style={{ inlineSize: size, blockSize: size * 0.875 }}>
      <Suspense fallback={null}>
        <DogDrawing pose={pose} size={size} />
      </Suspense>
    </div>
  );
}
