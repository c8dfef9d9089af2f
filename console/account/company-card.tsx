import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Tag } from '../parts/badges.tsx'
import { Icon } from '../parts/icons.tsx'
import { Card } from '../parts/page.tsx'
import { ownCompanyQuery, securityQuery } from '../queries.ts'
import { startLink } from './changes.ts'
import { ProofDialog } from './factor-dialogs.tsx'
import styles from './security.module.css'
import { strings } from './security-strings.ts'

/** Not shown if the operator configured no provider. */
export function CompanyCard() {
  const { data } = useQuery(ownCompanyQuery)
  const { data: security } = useQuery(securityQuery)
  const { linked, problem } = useSearch({ from: '/signed-in/account' })
  const [isLinking, setLinking] = useState(false)
  if (data === undefined || !data.available) return null
  const { company } = strings
  return (
    <Card title={company.title} lead={data.by_groups ? company.leadGroups : company.lead}>
      <div className={styles.setUp}>
        {problem !== undefined && (
          <Alert color="red" role="alert" icon={<Icon name="alert" />} title={company.failed}>
            {company.problems[problem] ?? company.unknownProblem}
          </Alert>
        )}
        {linked === true && (
          <Alert color="accent" role="status" icon={<Icon name="check" />}>
            {company.done}
          </Alert>
        )}
        <div className={styles.actions}>
          {data.linked ? (
            <Tag tone="accent">{company.linked}</Tag>
          ) : (
            <Button size="xs" variant="default" onClick={() => setLinking(true)}>
              {company.link}
            </Button>
          )}
        </div>
      </div>
      {isLinking && (
        <ProofDialog
          title={company.linkTitle}
          action={strings.proof.next}
          hasPassword={security?.has_password ?? true}
          send={startLink}
          done={({ url }) => location.assign(url)}
          close={() => setLinking(false)}
        >
          {data.by_groups ? company.linkTextGroups : company.linkText}
        </ProofDialog>
      )}
    </Card>
  )
}
