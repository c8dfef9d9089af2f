import { Textarea, type TextareaProps } from '@mantine/core'
import type { RefObject } from 'react'
import { promptLimits } from '../../../src/model/limits/prompts.ts'
import styles from '../prompts.module.css'
import { strings } from '../strings.ts'

export function TextArea(props: TextareaProps & { ref?: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <Textarea
      label={strings.fields.text}
      description={strings.fields.textHint}
      autosize
      minRows={10}
      maxRows={32}
      maxLength={promptLimits.textCharacters}
      spellCheck
      dir="auto"
      classNames={{ input: styles.area ?? '' }}
      {...props}
    />
  )
}
