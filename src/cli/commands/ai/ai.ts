import { Command } from 'commander'
import { listCommand, removeCommand, setCommand, testCommand } from './ai-provider.ts'

export function aiCommand(): Command {
  const provider = new Command('provider').description('Manage the AI providers that you offer to projects')
  for (const one of [setCommand(), listCommand(), removeCommand(), testCommand()]) provider.addCommand(one)
  return new Command('ai').description('Offer AI models to projects').addCommand(provider)
}
