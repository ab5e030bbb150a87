import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const teal: MantineColorsTuple = [
  '#e7f3f1',
  '#d3e8e5',
  '#a9d3ce',
  '#7cbdb6',
  '#4fa49c',
  '#2b8a82',
  '#12807a',
  '#0a6c66',
  '#08574f',
  '#053f3b',
];

const warmGrey: MantineColorsTuple = [
  '#faf9f7',
  '#f3f1ed',
  '#e6e2dc',
  '#d3cdc4',
  '#b4ada2',
  '#8d867b',
  '#6a645b',
  '#4c4741',
  '#33302b',
  '#1f1d1a',
];

const warmDark: MantineColorsTuple = [
  '#ece9e4',
  '#cbc6bd',
  '#a39d93',
  '#7a746a',
  '#45423c',
  '#2f2d29',
  '#24221f',
  '#1c1b18',
  '#151412',
  '#11100f',
];

/** Sizes, spaces and colours for Mantine; the other tokens are in styles/tokens.css. */
export const theme = createTheme({
  colors: { teal, gray: warmGrey, dark: warmDark },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.55', xl: '1.35' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  headings: { fontWeight: '620', sizes: { h1: { fontSize: '22px', lineHeight: '1.25' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Without this, a dialog's header would count as the page's banner landmark.
  components: { Modal: { defaultProps: { attributes: { header: { role: 'none' } } } } },
  shadows: { md: 'var(--arc-shadow)', xl: 'var(--arc-shadow)' },
});

/** Maps Mantine's colours to the tokens of each theme, instead of the shades that Mantine computes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--arc-page)',
    '--mantine-color-text': 'var(--arc-ink)',
    '--mantine-color-dimmed': 'var(--arc-ink-soft)',
    '--mantine-color-placeholder': 'var(--arc-ink-soft)',
    '--mantine-color-default': 'var(--arc-surface)',
    '--mantine-color-default-hover': 'var(--arc-sunken)',
    '--mantine-color-default-border': 'var(--arc-line-strong)',
    '--mantine-color-default-color': 'var(--arc-ink)',
    '--mantine-color-anchor': 'var(--arc-accent)',
    '--mantine-color-error': 'var(--arc-red)',
    // Mantine's own red is too light below white words (WCAG 1.4.3).
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': '#a82424',
    '--mantine-color-teal-text': 'var(--arc-accent)',
    '--mantine-color-teal-light': 'var(--arc-accent-tint)',
    '--mantine-color-teal-light-hover': 'var(--arc-accent-tint)',
    '--mantine-color-teal-light-color': 'var(--arc-accent)',
    '--mantine-color-teal-outline': 'var(--arc-accent)',
  },
  dark: {
    '--mantine-color-body': 'var(--arc-page)',
    '--mantine-color-text': 'var(--arc-ink)',
    '--mantine-color-dimmed': 'var(--arc-ink-soft)',
    '--mantine-color-placeholder': 'var(--arc-ink-soft)',
    '--mantine-color-default': 'var(--arc-surface)',
    '--mantine-color-default-hover': 'var(--arc-raised)',
    '--mantine-color-default-border': 'var(--arc-line-strong)',
    '--mantine-color-default-color': 'var(--arc-ink)',
    '--mantine-color-anchor': 'var(--arc-accent)',
    '--mantine-color-error': 'var(--arc-red)',
    // Mantine's own red is too light below white words (WCAG 1.4.3).
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': '#a82424',
    '--mantine-color-teal-filled': '#12807a',
    '--mantine-color-teal-filled-hover': '#0d726c',
    '--mantine-color-teal-text': 'var(--arc-accent)',
    '--mantine-color-teal-light': 'var(--arc-accent-tint)',
    '--mantine-color-teal-light-hover': 'var(--arc-accent-tint)',
    '--mantine-color-teal-light-color': 'var(--arc-accent)',
    '--mantine-color-teal-outline': 'var(--arc-accent)',
  },
});
