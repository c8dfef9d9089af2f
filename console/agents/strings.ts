export const strings = {
  page: {
    title: 'Connect an agent',
    lead: (project: string) =>
      `Agents search the products of ${project} and propose changes. You review each proposal before it changes a product.`,
  },
  token: {
    title: '1. Create a token',
    lead: 'An agent token can read products, read prompts and propose changes. It can’t apply a proposal.',
    new: 'New agent token',
    text: 'The token protects your products, not the agent. An agent can use everything that its token allows, also without asking you.',
    askOperator:
      'Ask the operator for a token with the permissions “Read products”, “Propose product changes” and “Read prompts”.',
    askManager:
      'Ask a manager of this project for a token with the permissions “Read products”, “Propose product changes” and “Read prompts”.',
    manage: 'View all tokens',
    wide: (count: number) =>
      count === 1
        ? 'One token can do more than an agent needs'
        : `${count} tokens can do more than an agent needs`,
    wideText: 'Don’t give these tokens to an agent. They can do more than read and propose:',
  },
  settings: {
    title: '2. Add the catalog to your client',
    variable: 'Store your token in the environment variable',
    end: '. The settings then contain no secret.',
    client: 'Client',
    label: (client: string) => `Settings for ${client}`,
    web: 'claude.ai and ChatGPT on the web can’t connect. They accept only OAuth, which the service does not support yet.',
  },
  places: {
    command: 'Run this command:',
    vsCode: 'Save as .vscode/mcp.json. VS Code asks for the token once:',
    cursor: 'Save as .cursor/mcp.json:',
    codex: 'Add to ~/.codex/config.toml:',
    desktop:
      'Add to claude_desktop_config.json, and replace the token. The client starts the program catalog:',
    url: 'Clients that call a URL need this address and header:',
    program: 'Clients that start a program need this command, with the token in its environment:',
  },
  firstTask: {
    title: '3. Give the agent a task',
    lead: 'The agent returns a link to its proposal. Review the lines, then apply them or discard them. You can undo an applied proposal.',
    label: 'Task',
    task: 'Find active products that fail the rule description_length, and propose better descriptions for ten of them.',
    proposals: 'View proposals',
  },
}
