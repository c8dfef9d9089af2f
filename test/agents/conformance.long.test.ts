import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sharedTestService } from '../harness.ts'
import { agentScopes } from '../requests/agent-client.ts'
import { runPackage, withToken } from './registry-programs.ts'

const conformance = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

/** Scenarios that must pass. */
const passing: Record<string, string[]> = {
  '2025-11-25': [
    ...['dns-rebinding-protection', 'ping', 'server-initialize', 'server-session-lifecycle'],
    ...['server-sse-multiple-streams', 'server-sse-polling', 'tools-list'],
  ],
  '2026-07-28': [
    ...['dns-rebinding-protection', 'http-header-validation', 'input-required-result-ignore-extra-params'],
    ...['input-required-result-missing-input-response', 'input-required-result-unsupported-methods'],
    ...['input-required-result-validate-input', 'sep-2164-resource-not-found', 'server-sse-multiple-streams'],
    'tools-list',
  ],
}

/** Scenarios that do not apply, by the start of their name. */
const notApplicable: [reason: string, names: string[]][] = [
  [
    'calls a fixture tool such as test_simple_text, which a catalog does not have',
    ['tools-call-', 'json-schema-2020-12', 'elicitation-sep', 'input-required-result-'],
  ],
  ['the service has no resources', ['resources-']],
  ['the service has no MCP prompts', ['prompts-']],
  ['the service completes no arguments', ['completion-complete']],
  ['the service sends no logs to clients', ['logging-set-level']],
  ['no tool reads arguments from headers', ['http-custom-header-server-validation']],
]

/** In these scenarios, only the listed checks do not apply. */
const partly: Record<string, string[]> = {
  // The service has tools only; the other lists are unknown methods.
  caching: [
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ],
  'server-stateless': [
    // These need fixture tools.
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-no-log-without-loglevel',
    'sep-2575-server-rejects-undeclared-capability',
    // The service announces no changes, so it rejects subscriptions.
    'sep-2575-server-sends-subscription-ack',
    'sep-2575-server-tags-subscription-id',
  ],
}

type Check = { id: string; status: string }

/** The failed checks of each scenario. */
function readResults(folder: string): Map<string, string[]> {
  const scenarios = readdirSync(folder).map((name): [string, string[]] => {
    const checks: Check[] = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))
    const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
    return [/^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name, failed.sort()]
  })
  return new Map(scenarios)
}

test.for(Object.keys(passing))(
  'the conformance scenarios of %s that need no fixture tools pass',
  { timeout: 300_000 },
  async (version, context) => {
    const service = await sharedTestService()
    const { token } = await service.tenant({ scopes: agentScopes })
    const url = `${await withToken(service.url, token)}/mcp`
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const which = ['--suite', 'all', '--spec-version', version]
    await runPackage(context, [conformance, 'server', '--url', url, ...which, '-o', 'results'], folder)
    const results = readResults(join(folder, 'results'))
    const passed = [...results].flatMap(([name, failed]) => (failed.length === 0 ? [name] : []))
    expect(passed.sort()).toEqual(passing[version])
    for (const [name, failed] of results) {
      if (failed.length === 0) continue
      const reason = notApplicable.find(([, names]) => names.some((start) => name.startsWith(start)))?.[0]
      expect([name, failed]).toEqual([name, reason === undefined ? partly[name] : failed])
    }
    console.info(`${version}: ${passed.length} of ${results.size} scenarios apply and pass`)
  },
)
