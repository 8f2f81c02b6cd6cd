// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {OPERATOR, POLY_USD} from "./Venue.sol";

/// Shares in the two outcomes of a market, with the calls of the Conditional Tokens Framework that its users make
/// (ERC-1155, split, merge, redeem). The ids of the shares are told by the venue instead of derived.
/// One pUSD stands behind each full set, so every redemption can be paid.
contract OutcomeTokens {
    uint256 private constant WHOLE = 1_000_000;

    struct Condition {
        uint256[2] tokenIds;
        uint256[2] payouts;
        bool isPrepared;
        bool isResolved;
    }

    mapping(bytes32 => Condition) private conditions;
    mapping(uint256 => bytes32) public conditionOf;
    mapping(address => mapping(uint256 => uint256)) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event Split(address indexed holder, bytes32 indexed conditionId, uint256 amount);
    event Merge(address indexed holder, bytes32 indexed conditionId, uint256 amount);
    /// One for each outcome that the holder had shares in.
    event Redeem(address indexed holder, bytes32 indexed conditionId, uint256 tokenId, uint256 shares, uint256 payout);

    modifier onlyOperator() {
        require(msg.sender == OPERATOR, "CTF: only the operator");
        _;
    }

    function prepareCondition(bytes32 conditionId, uint256[2] calldata tokenIds) external onlyOperator {
        Condition storage condition = conditions[conditionId];
        require(!condition.isPrepared, "CTF: condition already prepared");
        require(tokenIds[0] != tokenIds[1], "CTF: outcomes with one id");
        require(conditionOf[tokenIds[0]] == 0 && conditionOf[tokenIds[1]] == 0, "CTF: id of another condition");
        (condition.tokenIds, condition.isPrepared) = (tokenIds, true);
        (conditionOf[tokenIds[0]], conditionOf[tokenIds[1]]) = (conditionId, conditionId);
    }

    /// Shares of a pUSD for each outcome, in millionths; together one.
    function reportPayouts(bytes32 conditionId, uint256[2] calldata payouts) external onlyOperator {
        Condition storage condition = known(conditionId);
        require(!condition.isResolved, "CTF: payouts already reported");
        require(payouts[0] <= WHOLE && payouts[0] + payouts[1] == WHOLE, "CTF: payouts are not a whole");
        (condition.payouts, condition.isResolved) = (payouts, true);
    }

    function conditionAt(bytes32 conditionId) external view returns (Condition memory) {
        return conditions[conditionId];
    }

    function getOutcomeSlotCount(bytes32 conditionId) external view returns (uint256) {
        return conditions[conditionId].isPrepared ? 2 : 0;
    }

    function payoutNumerators(bytes32 conditionId, uint256 index) external view returns (uint256) {
        return conditions[conditionId].payouts[index];
    }

    function payoutDenominator(bytes32 conditionId) external view returns (uint256) {
        return conditions[conditionId].isResolved ? WHOLE : 0;
    }

    function splitPosition(address collateral, bytes32 parent, bytes32 conditionId, uint256[] calldata partition, uint256 amount) external {
        Condition storage condition = known(conditionId);
        requireWhole(collateral, parent, partition);
        POLY_USD.transferFrom(msg.sender, address(this), amount);
        for (uint256 i = 0; i < 2; i++) change(address(0), msg.sender, condition.tokenIds[i], amount);
        emit Split(msg.sender, conditionId, amount);
    }

    function mergePositions(address collateral, bytes32 parent, bytes32 conditionId, uint256[] calldata partition, uint256 amount) external {
        Condition storage condition = known(conditionId);
        requireWhole(collateral, parent, partition);
        for (uint256 i = 0; i < 2; i++) change(msg.sender, address(0), condition.tokenIds[i], amount);
        POLY_USD.transfer(msg.sender, amount);
        emit Merge(msg.sender, conditionId, amount);
    }

    /// Pays all shares of the caller in the outcomes named: 1 for the first, 2 for the second.
    function redeemPositions(address collateral, bytes32 parent, bytes32 conditionId, uint256[] calldata indexSets) external {
        Condition storage condition = known(conditionId);
        require(condition.isResolved, "CTF: result for condition not received yet");
        require(collateral == address(POLY_USD) && parent == 0, "CTF: unknown collateral");
        uint256 total = 0;
        for (uint256 i = 0; i < indexSets.length; i++) {
            require(indexSets[i] == 1 || indexSets[i] == 2, "CTF: got invalid index set");
            uint256 outcome = indexSets[i] - 1;
            uint256 shares = balanceOf[msg.sender][condition.tokenIds[outcome]];
            if (shares == 0) continue;
            // Floors: what is paid for both outcomes never exceeds what stands behind them.
            uint256 payout = (shares * condition.payouts[outcome]) / WHOLE;
            change(msg.sender, address(0), condition.tokenIds[outcome], shares);
            total += payout;
            emit Redeem(msg.sender, conditionId, condition.tokenIds[outcome], shares, payout);
        }
        if (total > 0) POLY_USD.transfer(msg.sender, total);
    }

    function balanceOfBatch(address[] calldata holders, uint256[] calldata ids) external view returns (uint256[] memory amounts) {
        require(holders.length == ids.length, "ERC1155: owners and IDs must have same lengths");
        amounts = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) amounts[i] = balanceOf[holders[i]][ids[i]];
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external {
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "ERC1155: need operator approval for 3rd party transfers.");
        require(to != address(0), "ERC1155: target address must be non-zero");
        change(from, to, id, value);
    }

    /// Makes shares where `from` is zero, and ends them where `to` is.
    function change(address from, address to, uint256 id, uint256 value) private {
        if (from != address(0)) {
            require(value <= balanceOf[from][id], "ERC1155: insufficient balance for transfer");
            balanceOf[from][id] -= value;
        }
        if (to != address(0)) balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
    }

    function known(bytes32 conditionId) private view returns (Condition storage condition) {
        condition = conditions[conditionId];
        require(condition.isPrepared, "CTF: condition not prepared yet");
    }

    function requireWhole(address collateral, bytes32 parent, uint256[] calldata partition) private pure {
        require(collateral == address(POLY_USD) && parent == 0, "CTF: unknown collateral");
        require(partition.length == 2 && partition[0] + partition[1] == 3 && partition[0] * partition[1] == 2, "CTF: got invalid partition");
    }
}
