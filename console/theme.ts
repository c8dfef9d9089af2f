import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** Component code asks the theme which colours exist; their values are CSS variables, see styles/theme.css. */
const accent = Array.from(
  { length: 10 },
  (_, shade) => `var(--mantine-color-accent-${shade})`,
) as unknown as MantineColorsTuple

// Locking the scroll of the page would write a <style> element, which the Content-Security-Policy forbids.
const overlay = {
  lockScroll: false,
  closeButtonProps: { 'aria-label': 'Close' },
  overlayProps: { backgroundOpacity: 0.35 },
}

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: { ...overlay, centered: true, radius: 'lg', padding: 'lg' },
      styles: { title: { fontWeight: 600 } },
    },
    Drawer: { defaultProps: { ...overlay, padding: 'md' } },
    Anchor: { defaultProps: { inherit: true, underline: 'always' } },
    Button: { styles: { label: { fontWeight: 560 } } },
    // Without the element that takes the first focus: a menu may hold menu items only.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    InputWrapper: { styles: { label: { marginBottom: 4 }, description: { marginBottom: 4 } } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})
