import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { t } from '../i18n/t.ts';

/** Shades of the accent in `browser/tokens.css`: 8 fills buttons in the light scheme, 4 in the dark one. */
const accent: MantineColorsTuple = [
  '#e8f3ef',
  '#cfe6de',
  '#a3d3c4',
  '#74c2ab',
  '#54c9ab',
  '#2aa488',
  '#178a71',
  '#0f7f69',
  '#0b7460',
  '#075646',
];

/** Mantine picks the text color for the light scheme only; the token covers both. */
const resolveVariant: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  const isAccent = input.variant === 'filled' && (input.color ?? 'accent') === 'accent';
  return isAccent ? { ...resolved, color: 'var(--on-accent)' } : resolved;
};

/** A plain object, not `Modal.extend(…)`: importing the components here would put them into the first load. */
const dialog = {
  defaultProps: { closeButtonProps: { 'aria-label': t('dismiss') } },
  styles: { title: { fontWeight: 650 } },
};

export const theme = createTheme({
  colors: { accent },
  variantColorResolver: resolveVariant,
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontFamily: 'var(--font)', fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    Modal: dialog,
    Drawer: dialog,
  },
});

const shared = {
  '--mantine-color-body': 'var(--card)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-muted)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-placeholder': 'var(--text-muted)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-anchor': 'var(--accent)',
};

/** Maps Mantine's CSS variables to our tokens. */
export const resolveVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
