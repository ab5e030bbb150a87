import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { footerText } from '../whereDataGoes.ts';
import classes from './Footer.module.css';

/** The footer of every page. Makes no claim about data before the server's configuration is known. */
export function Footer() {
  const { modelRegion, recipients } = useSession();
  return (
    <footer className={classes.footer}>
      <p>{recipients ? footerText({ modelRegion, recipients }) : null}</p>
      <nav aria-label="Legal">
        <Link to="/privacy-policy">Privacy Policy</Link>
        <Link to="/terms-and-conditions">Terms and Conditions</Link>
      </nav>
    </footer>
  );
}
