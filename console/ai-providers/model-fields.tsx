import { Button, TextInput } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import styles from './ai-providers.module.css'
import { newModel, type ProviderForm } from './provider-form.ts'
import { strings } from './strings.ts'

const mostModels = 50

/** The models with their prices. */
export function ModelFields({ form }: { form: ProviderForm }) {
  const { models } = form.values
  return (
    <fieldset className={styles.models}>
      <legend className={styles.legend}>{strings.form.models}</legend>
      <p className={styles.note}>{strings.form.modelsHint}</p>
      {models.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: models are identified by their position, as in their errors
        <ModelRow key={index} form={form} index={index} isOnly={models.length === 1} />
      ))}
      {form.errors['models'] !== undefined && (
        <p role="alert" className={styles.error}>
          {form.errors['models']}
        </p>
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          disabled={models.length >= mostModels}
          onClick={() => form.insertListItem('models', newModel)}
        >
          {strings.form.addModel}
        </Button>
      </div>
    </fieldset>
  )
}

type RowProps = { form: ProviderForm; index: number; isOnly: boolean }

function ModelRow({ form, index, isOnly }: RowProps) {
  const props = (field: string) => form.getInputProps(`models.${index}.${field}`)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would need a visible legend
    <div role="group" aria-label={strings.form.model(index + 1)} className={styles.model}>
      <TextInput label={strings.form.modelName} autoComplete="off" spellCheck={false} {...props('name')} />
      <div className={styles.prices}>
        <TextInput label={strings.form.inputPrice} inputMode="decimal" {...props('input_price')} />
        <TextInput label={strings.form.outputPrice} inputMode="decimal" {...props('output_price')} />
        <TextInput label={strings.form.outputTokens} inputMode="numeric" {...props('max_output_tokens')} />
      </div>
      {!isOnly && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => form.removeListItem('models', index)}
          >
            {strings.form.removeModel}
            <span className="unseen"> {strings.form.model(index + 1)}</span>
          </Button>
        </div>
      )}
    </div>
  )
}
