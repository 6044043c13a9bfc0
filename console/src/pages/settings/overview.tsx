import { Title } from '@mantine/core';
import { Page } from '../../design/page.tsx';
import { Row, RowList } from '../../editing/row-list.tsx';
import { SECTIONS } from './sections.ts';
import classes from './settings.module.css';
import { t } from './t.ts';

export const Overview = () => (
  <Page title={t('settings')}>
    <div className={classes.overview}>
      {SECTIONS.map(({ title, sections }) => (
        <section key={title}>
          <Title order={2} size="h5" mb="xs">
            {title}
          </Title>
          <RowList label={title}>
            {sections.map((section) => (
              <Row
                key={section.path}
                to="/settings/$"
                path={section.path}
                title={section.title}
                detail={section.about}
              />
            ))}
          </RowList>
        </section>
      ))}
    </div>
  </Page>
);
