import { Textarea, type TextareaProps } from '@mantine/core'
import type { RefObject } from 'react'
import styles from '../prompts.module.css'

const mostCharacters = 100_000

/** Where the text of a prompt is written. */
export function TextArea(props: TextareaProps & { ref?: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <Textarea
      label="Text"
      description="{{name}} stands for a variable, and dots go deeper: {{attributes.color}}"
      autosize
      minRows={10}
      maxRows={32}
      maxLength={mostCharacters}
      spellCheck
      dir="auto"
      classNames={{ input: styles.area ?? '' }}
      {...props}
    />
  )
}
