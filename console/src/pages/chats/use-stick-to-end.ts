import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const END_TOLERANCE_PX = 80;

/** Keeps the newest message in view unless the agent has scrolled up. `content` changes with every new item. */
export const useStickToEnd = (content: string) => {
  const scroller = useRef<HTMLDivElement>(null);
  const isNear = useRef(true);
  const [isAway, setAway] = useState(false);

  const toEnd = (): void => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };

  useEffect(() => {
    const element = scroller.current!;
    const look = (): void => {
      isNear.current = element.scrollHeight - element.scrollTop - element.clientHeight < END_TOLERANCE_PX;
      setAway(!isNear.current);
    };
    element.addEventListener('scroll', look, { passive: true });
    // An image has loaded, or the window was resized.
    const grown = new ResizeObserver(() => isNear.current && toEnd());
    grown.observe(element);
    for (const child of element.children) grown.observe(child);
    return () => {
      element.removeEventListener('scroll', look);
      grown.disconnect();
    };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what the content is compared by.
  useLayoutEffect(() => {
    if (isNear.current) toEnd();
  }, [content]);

  return { scroller, isAway, toEnd };
};
