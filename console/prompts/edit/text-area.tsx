import { Textarea, type TextareaProps } from '@mantine/core'
import type { RefObject } from 'react'
import { promptLimits } from '../../../src/model/limits/prompts.ts'
import styles from '../prompts.module.css'

/** Where the text of a prompt is written. */
export function TextArea(props: TextareaProps & { ref?: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <Textarea
      label="Text"
      description="{{name}} stands for a variable, and dots go deeper: {{attributes.color}}"
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
