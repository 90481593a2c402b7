package nginx

// RealIPBlocks are the levels whose real IP settings nginx applies to a
// request of the block, in that order: the server's when the header has been
// read, then the location's before the limits unless the first replaced the
// address (ngx_http_realip_module.c:ngx_http_realip_handler). Levels that
// trust nobody are left out; none at all means that the address is that of the
// peer.
func (b *Block) RealIPBlocks() []*Block {
	var all []*Block
	if b.Server != nil && b.Server.Block != b && len(b.Server.SetRealIPFrom.Items) > 0 {
		all = append(all, b.Server.Block)
	}
	same := len(all) > 0 && b.SetRealIPFrom.From == b.Server.SetRealIPFrom.From &&
		b.RealIPHeader.Value == b.Server.RealIPHeader.Value && b.RealIPRecursive.Value == b.Server.RealIPRecursive.Value
	if len(b.SetRealIPFrom.Items) > 0 && !same {
		all = append(all, b)
	}
	return all
}
