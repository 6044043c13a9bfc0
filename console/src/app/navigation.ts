import type { NavigateOptions } from '@tanstack/react-router';

interface Navigation {
  navigate(options: NavigateOptions): Promise<void>;
  history: { replace(path: string): void };
}

let current: Navigation | undefined;

/** Called once at start. Pages navigate through this module because the router itself imports every page. */
export const registerNavigation = (router: Navigation): void => {
  current = router;
};

export const navigation = (): Navigation => current!;
