import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { Icon, type IconName } from '../parts/icons.tsx'
import styles from './color-scheme-switch.module.css'
import { strings } from './strings.ts'

const choices: { scheme: MantineColorScheme; label: string; icon: IconName }[] = [
  { scheme: 'auto', label: strings.theme.auto, icon: 'system' },
  { scheme: 'light', label: strings.theme.light, icon: 'sun' },
  { scheme: 'dark', label: strings.theme.dark, icon: 'moon' },
]

export function ColorSchemeSwitch({ name }: { name: string }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset className={styles.choices}>
      <legend className="unseen">{strings.theme.label}</legend>
      {choices.map(({ scheme, label, icon }) => (
        <label key={scheme} className={styles.choice} title={label}>
          <input
            type="radio"
            name={name}
            checked={colorScheme === scheme}
            onChange={() => setColorScheme(scheme)}
            aria-label={label}
          />
          <Icon name={icon} size={16} />
        </label>
      ))}
    </fieldset>
  )
}
