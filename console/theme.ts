import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { strings } from './strings.ts'

/** The values of the colors are CSS variables, see styles/theme.css. */
const accent = Array.from(
  { length: 10 },
  (_, shade) => `var(--mantine-color-accent-${shade})`,
) as unknown as MantineColorsTuple

// A scroll lock would write a <style> element, which the Content-Security-Policy forbids.
const overlay = {
  lockScroll: false,
  closeButtonProps: { 'aria-label': strings.close },
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
      styles: { title: { fontWeight: 600, lineHeight: 1.35 } },
    },
    Drawer: { defaultProps: { ...overlay, padding: 'md' } },
    Anchor: { defaultProps: { inherit: true, underline: 'always' } },
    Button: { styles: { label: { fontWeight: 560 } } },
    // Without the placeholder for the first focus: a menu may contain only menu items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    InputWrapper: { styles: { label: { marginBottom: 4 }, description: { marginBottom: 4 } } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})
