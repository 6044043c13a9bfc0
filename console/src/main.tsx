import '@mantine/core/styles.css';
import '../../browser/tokens.css';
import './design/base.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { registerNavigation } from './app/navigation.ts';
import { router } from './app/router.tsx';
import { allowOnlyStyles } from './app/trusted-types.ts';
import { watchSession } from './app/watch-session.ts';
import { announceNonce, styleNonce } from './design/nonce.ts';
import { NoticeArea } from './design/notice-area.tsx';
import { resolveVariables, theme } from './design/theme.ts';
import { language } from './i18n/language.ts';

document.documentElement.lang = language;
allowOnlyStyles();
announceNonce();
registerNavigation(router);
watchSession();

createRoot(document.querySelector('#root')!).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={resolveVariables}
    getStyleNonce={styleNonce}
    defaultColorScheme="auto"
    colorSchemeManager={localStorageColorSchemeManager({ key: 'parley-color-scheme' })}
  >
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <NoticeArea />
    </QueryClientProvider>
  </MantineProvider>,
);
