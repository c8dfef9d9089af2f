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
    text: 'Only the token limits what an agent can do. The agent can use every permission of its token without asking you.',
    askOperator:
      'Ask the operator for a token with the permissions “Read products”, “Propose product changes” and “Read prompts”.',
    askManager:
      'Ask a manager of this project for a token with the permissions “Read products”, “Propose product changes” and “Read prompts”.',
    manage: 'View all tokens',
    wide: (count: number) =>
      count === 1
        ? 'One token can do more than an agent needs'
        : `${count} tokens can do more than an agent needs`,
    wideText: 'Don’t give an agent a token that can do more than read and propose:',
  },
  settings: {
    title: '2. Add the catalog to your client',
    variable: 'Store your token in the environment variable',
    end: '. Most of these settings read it from there.',
    client: 'Client',
    label: (client: string) => `Settings for ${client}`,
    web: 'claude.ai and ChatGPT on the web can’t connect. They accept only OAuth, which the service does not support yet.',
  },
  places: {
    command: 'Run this command. Claude Code stores the token in its own settings:',
    vsCode: 'Save as .vscode/mcp.json. VS Code asks for the token once:',
    cursor: 'Save as .cursor/mcp.json:',
    codex: 'Add to ~/.codex/config.toml:',
    desktop:
      'Add to claude_desktop_config.json, and replace cat_… with the token. Claude Desktop starts the program “catalog”:',
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
