import { type Actor, recordAct } from '../audit/audit.sql.ts'
import type { Database } from '../database/database.ts'
import { changeProject, createProject, type NewProject } from './manage-project.ts'
import { lockProject, type Project, type ProjectChanges } from './project.sql.ts'

export function openProject(database: Database, actor: Actor, input: NewProject): Promise<Project> {
  return database.transaction(async (tx) => {
    const project = await createProject(tx, input)
    const { id, name, plan, currency } = project
    await recordAct(tx, actor, {
      action: 'project.create',
      projectId: id,
      target: `project ${id}`,
      details: { name, plan, currency },
    })
    return project
  })
}

const settings = ['plan', 'api_access', 'rate_limit'] as const

export function setProject(
  database: Database,
  actor: Actor,
  id: number,
  changes: ProjectChanges,
): Promise<Project> {
  return database.transaction(async (tx) => {
    const before = await lockProject(tx, id)
    const after = await changeProject(tx, id, changes)
    const changed = settings.filter((name) => before[name] !== after[name])
    if (changed.length === 0) return after
    await recordAct(tx, actor, {
      action: 'project.change',
      projectId: id,
      target: `project ${id}`,
      details: Object.fromEntries(
        changed.map((name) => [name, { before: before[name], after: after[name] }]),
      ),
    })
    return after
  })
}
