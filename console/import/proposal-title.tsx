import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { strings } from './strings.ts'

/** Leaves room for the number that a proposal in several parts gets. */
const longestTitle = 190

export type ProposalTitle = ReturnType<typeof useProposalTitle>

/** The title that the user edits. It is trimmed and normalized as the service stores it; undefined while it is empty. */
export function useProposalTitle(initial: string) {
  const [text, setText] = useState(() => [...initial].slice(0, longestTitle).join(''))
  return { text, setText, title: text.trim().normalize('NFC') || undefined }
}

export function ProposalTitleInput({ text, setText, title }: ProposalTitle) {
  return (
    <TextInput
      label={strings.propose.name}
      maxLength={longestTitle}
      value={text}
      error={title === undefined && strings.propose.nameMissing}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
