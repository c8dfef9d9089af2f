import { Button, type ButtonProps } from '@mantine/core'
import { useRef } from 'react'
import { Icon } from '../icons.tsx'
import { strings } from './strings.ts'
import { acceptedTypes } from './upload-file.ts'

type Props = ButtonProps & { id?: string; choose: (files: File[]) => void }

/** Opens the file dialog of the browser. */
export function ChooseFiles({ choose, ...button }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        {...button}
        leftSection={<Icon name="upload" size={14} />}
        onClick={() => input.current?.click()}
      >
        {strings.choose}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedTypes}
        aria-label={strings.input}
        onChange={({ currentTarget }) => {
          choose([...(currentTarget.files ?? [])])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
